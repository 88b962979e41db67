/**
 * The bytes of a credential, or undefined unless the text is their canonical base64 form. Node decodes leniently: it ignores trailing
 * characters, other alphabets, padding and unused bits, so one credential would have many texts (docs/api/authentication.md, "Basic").
 */
export function exactBytes(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : undefined
}
