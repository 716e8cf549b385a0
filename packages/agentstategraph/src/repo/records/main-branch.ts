/** The branch that a repository is never without. */
export const mainBranch = 'main'
