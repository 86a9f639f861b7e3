/** Text as it stands in a query of a URL, the way of Java's `URLEncoder`. */
export function urlEncoded(text: string): string {
  // Half of a surrogate pair has no UTF-8: it is replaced, where encodeURIComponent would throw.
  return encodeURIComponent(Buffer.from(text).toString())
    .replaceAll('%20', '+')
    .replace(/[!'()~]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}
