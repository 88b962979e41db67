/**
 * The bytes of a credential, or undefined if its text is not their only base64 text. Node decodes leniently: with characters behind it,
 * the other alphabet, other padding or unused bits, one credential would have many texts (docs/api.md, "Basic").
 */
export function exactBytes(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : undefined
}
