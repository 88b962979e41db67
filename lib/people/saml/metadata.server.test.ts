import { X509Certificate } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { env, SettingError } from '#lib/ground/env.server'
import { requireSamlSettings } from '#lib/people/saml/pem.server'
import { selfSigned } from '#lib/people/saml/self-signed.server'
import { call, ORIGIN } from '#lib/tools/testing/client'
import { ownMetadata } from '#lib/tools/testing/saml'
import { newKey, pemOf, serviceProvider } from '#lib/tools/testing/saml-idp'
import { withSettings } from '#lib/tools/testing/session'

const on = <T>(work: () => Promise<T>, settings: Parameters<typeof withSettings>[0] = {}) =>
  withSettings({ SAML_IDP_METADATA: '/nowhere', ...settings }, work)

/** The metadata as another implementation reads them. */
const read = async () => serviceProvider(await ownMetadata()).entityMeta

describe('our metadata', () => {
  test('name us, and where messages are sent; they need no provider', () =>
    on(async () => {
      const response = await call('GET', '/api/auth/saml/metadata', { as: null })
      expect(response.headers.get('content-type')).toBe('application/samlmetadata+xml; charset=utf-8')
      const metadata = await read()
      expect(metadata.getEntityID()).toBe(`${ORIGIN}/api/auth/saml/metadata`)
      expect(metadata.getAssertionConsumerService('post')).toBe(`${ORIGIN}/api/auth/saml/acs`)
      for (const binding of ['redirect', 'post'])
        expect(metadata.getSingleLogoutService(binding)).toBe(`${ORIGIN}/api/auth/saml/logout`)
      expect([metadata.isWantAssertionsSigned(), metadata.isAuthnRequestSigned()]).toEqual([true, false])
      expect(metadata.getX509Certificate('signing')).toBeNull()
    }))

  test('are those of BASE_URL and of the entity id that is set', () =>
    on(
      async () => {
        const metadata = await read()
        expect(metadata.getEntityID()).toBe('urn:example:a&b')
        expect(metadata.getAssertionConsumerService('post')).toBe('https://console.example/api/auth/saml/acs')
      },
      { BASE_URL: 'https://console.example', SAML_ENTITY_ID: 'urn:example:a&b' },
    ))

  test('hold the certificate of our key for signatures and encryption, the same one each time', async () => {
    const SAML_PRIVATE_KEY = pemOf(newKey())
    const certificates = () =>
      on(
        async () => {
          const metadata = await read()
          expect([metadata.isAuthnRequestSigned(), metadata.isWantAssertionsSigned()]).toEqual([true, false])
          return ['signing', 'encryption'].map((use) => String(metadata.getX509Certificate(use as 'signing')))
        },
        { SAML_PRIVATE_KEY, SAML_SIGNED: 'response' },
      )
    const [signing = '', encryption] = await certificates()
    expect(encryption).toBe(signing)
    await on(ownMetadata, { SAML_PRIVATE_KEY: pemOf(newKey()) })
    expect(await certificates()).toEqual([signing, signing])
    const certificate = new X509Certificate(Buffer.from(signing, 'base64'))
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(new Date(certificate.validTo).getFullYear()).toBe(2049)
  })

  test('hold the certificate that lies beside the key, in a file too', async () => {
    const key = newKey()
    const certificate = selfSigned(key, 'ours')
    const file = join(tmpdir(), `key-${process.pid}.pem`)
    await writeFile(file, pemOf(key) + selfSigned(newKey(), 'of another key') + certificate)
    const metadata = await on(read, { SAML_PRIVATE_KEY: file })
    const held = new X509Certificate(Buffer.from(String(metadata.getX509Certificate('signing')), 'base64'))
    expect(held.subject).toBe('CN=ours')
    await rm(file)
  })
})

describe('settings that cannot be used stop the start with one line', () => {
  test.each([
    ['SAML_PRIVATE_KEY', '/nowhere'],
    ['SAML_PRIVATE_KEY', '-----BEGIN PRIVATE KEY-----\\nAAAA\\n-----END PRIVATE KEY-----'],
    ['SAML_CERTIFICATE', '/nowhere'],
    ['SAML_CERTIFICATE', '-----BEGIN CERTIFICATE-----\\nAAAA\\n-----END CERTIFICATE-----'],
    ['SAML_CERTIFICATE', '-----BEGIN PUBLIC KEY-----'],
  ] as const)('%s %s', (name, value) =>
    withSettings({ [name]: value }, async () => {
      expect(requireSamlSettings).toThrow(SettingError)
      expect(requireSamlSettings).toThrow(new RegExp(`^Setting ${name}: [^\n]+$`))
    }),
  )

  test('those that can, do not', () =>
    withSettings(
      { SAML_PRIVATE_KEY: pemOf(newKey()), SAML_CERTIFICATE: selfSigned(newKey(), 'x') },
      async () => {
        expect(env().SAML_PRIVATE_KEY).toBeDefined()
        requireSamlSettings()
      },
    ))
})
