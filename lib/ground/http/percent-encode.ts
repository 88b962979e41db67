/** Encodes all but the unreserved characters, with hex digits in upper case (RFC 3986 §2.3, RFC 5849 §3.6). */
export const percentEncode = (text: string): string =>
  encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
