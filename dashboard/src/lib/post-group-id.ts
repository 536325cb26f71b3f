/** Whether this can be the id of a post. The service takes anything else in an address for another error. */
export const isPostGroupId = (text: string) => /^[0-9a-f]{24}$/i.test(text);
