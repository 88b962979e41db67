/**
 * The bytes of a credential; undefined where its text is another one than these bytes have. Node reads base64 leniently: whatever stands
 * behind it, the other alphabet, missing or more padding, and bits that nobody uses would make many texts of one (settled, point 53).
 */
export function exactBytes(text: string, encoding: 'base64' | 'base64url'): Buffer | undefined {
  const bytes = Buffer.from(text, encoding)
  return bytes.toString(encoding) === text ? bytes : undefined
}
