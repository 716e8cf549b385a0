/** An agent's memory around its tasks. */
export {}
