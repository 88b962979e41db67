import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeptSources } from '#lib/gateway/kept-sources'
import { networkOf, numberOf } from '#lib/gateway/networks'

/* Networks that contain a source that ends, and none that stays. */

const near = fc.oneof(
  fc.ipV4(),
  fc.nat(255).map((last) => `198.51.100.${last}`),
)
const nearSix = fc.oneof(
  fc.ipV6(),
  fc.nat(65_535).map((last) => `2001:db8::${last.toString(16)}`),
)

test.each([
  ['IPv4', near],
  ['IPv6', nearSix],
])('are the widest ones, of %s', (_, source) => {
  fc.assert(
    fc.property(fc.array(source, { minLength: 1, maxLength: 20 }), source, (staying, ended) => {
      const kept = staying.map(numberOf)
      const text = new KeptSources(staying).networkWithout(ended)
      if (text === undefined) {
        expect(kept).toContain(numberOf(ended))
        return
      }
      const network = networkOf(text)
      if (!network) throw new Error(`${text} is no network`)
      const isIn = (each: bigint) => network.first <= each && each <= network.last
      expect(isIn(numberOf(ended))).toBe(true)
      expect(kept.filter(isIn)).toEqual([])
      const [, length] = text.split('/')
      const wider = network.last - network.first + 1n
      const [start, end] = [(network.first / (2n * wider)) * 2n * wider, 2n * wider]
      expect(Number(length) > 0 && kept.some((each) => each >= start && each < start + end)).toBe(true)
    }),
  )
})

test('are few for many sources around a network that stays', () => {
  const staying = new KeptSources(Array.from({ length: 256 }, (_, last) => `198.51.100.${last}`))
  const networks = new Set(
    Array.from({ length: 2000 }, (_, index) =>
      staying.networkWithout(`${1 + (index % 223)}.${index % 251}.7.${index % 254}`),
    ),
  )
  expect(networks.size).toBeLessThanOrEqual(24)
})
