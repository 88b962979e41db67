import { createHash, createPublicKey, type KeyObject, sign, X509Certificate } from 'node:crypto'

/*
 * A certificate for our key, because metadata carry keys in certificates (SAML metadata interoperability profile §2.3). The same key
 * always gives the same certificate, on every process and after every start.
 */

/** The part of DER (X.690) that certificates need. */
function der(tag: number, ...content: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(content.map((part) => Buffer.from(part)))
  const hex = body.length.toString(16)
  const size = Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')
  const length = body.length < 0x80 ? size : Buffer.from([0x80 + size.length, ...size])
  return Buffer.concat([Buffer.from([tag]), length, body])
}

const SEQUENCE = 0x30
const SET = 0x31
const INTEGER = 0x02
const BIT_STRING = 0x03
const UTF8 = 0x0c
const UTC_TIME = 0x17

/** sha256WithRSAEncryption (RFC 4055 §5). */
const ALGORITHM = Buffer.from('300d06092a864886f70d01010b0500', 'hex')
const COMMON_NAME = Buffer.from('0603550403', 'hex')

/** A self-signed certificate of an RSA key (RFC 5280 §4.1), as PEM. */
export function selfSigned(privateKey: KeyObject, commonName: string): string {
  const key = createPublicKey(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const spki = key.export({ type: 'spki', format: 'der' })
  const serial = createHash('sha256').update(spki).digest().subarray(0, 16)
  // A serial number is positive, and has no leading zeros.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  const name = der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(UTF8, commonName))))
  const validity = der(SEQUENCE, der(UTC_TIME, '000101000000Z'), der(UTC_TIME, '491231235959Z'))
  const signed = der(SEQUENCE, der(INTEGER, serial), ALGORITHM, name, validity, name, spki)
  const signature = der(BIT_STRING, Buffer.from([0]), sign('sha256', signed, privateKey))
  return new X509Certificate(der(SEQUENCE, signed, ALGORITHM, signature)).toString()
}
