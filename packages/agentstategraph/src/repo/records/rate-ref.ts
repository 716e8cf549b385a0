/** How the refs begin that count commits under grants. They lead to no state that anybody wants to keep. */
export const ratePrefix = 'system/rate/'
