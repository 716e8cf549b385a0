/** What an update from outside is called in errors and in history when it stands for no node. */
export const updateName = 'update'
