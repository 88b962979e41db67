import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { env, SettingError } from '#lib/ground/env.server'
import { selfSigned } from '#lib/people/saml/self-signed.server'

/** The PEM text in a setting, or in the file that the setting names. `\n` means a line break. */
export function pemText(setting: string): string {
  if (setting.includes('-----BEGIN')) return setting.replaceAll('\\n', '\n')
  try {
    return readFileSync(setting, 'utf8')
  } catch {
    // The reason could quote a key that lost its first line.
    throw new Error('is neither PEM nor a file that can be read')
  }
}

/** The certificate as PEM; undefined unless its key is RSA, the only kind that the library supports. */
export function rsaCertificates(content: string | Buffer): string[] {
  const certificate = new X509Certificate(content)
  return certificate.publicKey.asymmetricKeyType === 'rsa' ? [certificate.toString()] : []
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Every certificate of an RSA key in a PEM text. */
export const certificatesIn = (text: string): string[] =>
  [...text.matchAll(CERTIFICATE)].flatMap(([pem]) => rsaCertificates(pem))

/** Our key for signatures and decryption with its certificate, both PEM. */
export type OwnKey = { privateKey: string; certificate: string }

let known: { setting: string; key: OwnKey } | undefined

/** The key of SAML_PRIVATE_KEY with its certificate from the same PEM, or a generated one. */
export function ownKey(): OwnKey | undefined {
  const { SAML_PRIVATE_KEY: setting } = env()
  if (setting === undefined) return undefined
  if (known?.setting !== setting) known = { setting, key: readKey(setting) }
  return known.key
}

function readKey(setting: string): OwnKey {
  const text = pemText(setting)
  const key: KeyObject = createPrivateKey(text)
  if (key.asymmetricKeyType !== 'rsa') throw new Error('is not an RSA key')
  const beside = certificatesIn(text).find((pem) => new X509Certificate(pem).checkPrivateKey(key))
  return {
    privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: beside ?? selfSigned(key, 'SAML service provider'),
  }
}

/** Refuses unreadable keys and certificates when the server starts. Throws SettingError. */
export function requireSamlSettings(): void {
  const { SAML_CERTIFICATE } = env()
  requireReadable('SAML_PRIVATE_KEY', ownKey)
  requireReadable('SAML_CERTIFICATE', () => {
    if (SAML_CERTIFICATE !== undefined && certificatesIn(pemText(SAML_CERTIFICATE)).length === 0)
      throw new Error('holds no certificate of an RSA key')
  })
}

function requireReadable(name: string, read: () => unknown): void {
  try {
    read()
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new SettingError(`Setting ${name}: ${reason}`)
  }
}
