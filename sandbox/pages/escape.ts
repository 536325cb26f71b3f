const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}

/** The input must be escaped, so that a match cannot break out of the attribute. */
export function linkify(escaped: string): string {
  return escaped.replace(/https?:\/\/(?:(?!&lt;|&gt;|&quot;|&#39;)[^\s])+/g, (found) => {
    const address = found.replace(/[.,;:!?)\]]+$/, '');
    return `<a href="${address}" rel="nofollow noopener noreferrer">${address}</a>${found.slice(address.length)}`;
  });
}
