/** Whether this is a well-formed post ID. For others the service returns a different error than 404. */
export const isPostGroupId = (text: string) => /^[0-9a-f]{24}$/i.test(text);
