import { isIP } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import {
  addressKey,
  addressOfKey,
  addressText,
  assignable,
  cidrSize,
  cidrText,
  formatAddress,
  formatCidr,
  formatRange,
  keyRangesOf,
  parseAddress,
  parseCidr,
  parseRange,
  rangeMeant,
  rangeWord,
  sizeOfRange,
} from '#lib/ground/net/addresses'

const ipv4 = fc.bigInt({ min: 0n, max: 2n ** 32n - 1n }).map((value) => ({ version: 4 as const, value }))
const ipv6 = fc.bigInt({ min: 0n, max: 2n ** 128n - 1n }).map((value) => ({ version: 6 as const, value }))
/** Addresses with few bits set, so that runs of zeros are common. */
const sparse = fc
  .array(fc.integer({ min: 0, max: 127 }), { maxLength: 4 })
  .map((bits) => ({ version: 6 as const, value: bits.reduce((sum, bit) => sum | (1n << BigInt(bit)), 0n) }))
const address = fc.oneof(ipv4, ipv6, sparse)

/** Texts that often resemble an address, and sometimes are one. */
const almost = fc
  .array(
    fc.constantFrom('0', '1', '01', '9', '255', '256', 'f', 'ffff', '10000', 'g', '.', ':', '::', '/', ' '),
    {
      maxLength: 16,
    },
  )
  .map((parts) => parts.join(''))
const spelled = fc
  .array(
    fc.oneof(
      fc.constantFrom('0', '00', 'A', 'ffff', '', '1.2.3.4', '01.2.3.4'),
      fc.integer({ max: 256 }).map(String),
    ),
    {
      maxLength: 9,
    },
  )
  .chain((groups) => fc.constantFrom(groups.join(':'), groups.join('.'), `::${groups.join(':')}`))

describe('an address', () => {
  test('is the same after formatting and parsing', () => {
    fc.assert(
      fc.property(address, ({ version, value }) => {
        expect(parseAddress(formatAddress(version, value))).toEqual({ version, value })
      }),
    )
  })

  test('is formatted canonically (RFC 5952), as in a URL', () => {
    fc.assert(
      fc.property(fc.oneof(ipv6, sparse), ({ version, value }) => {
        const text = formatAddress(version, value)
        expect(new URL(`http://[${text}]/`).hostname).toBe(`[${text}]`)
      }),
    )
  })

  test('is recognized exactly if Node recognizes it', () => {
    fc.assert(
      fc.property(fc.oneof(almost, spelled, fc.string()), (text) => {
        fc.pre(!text.includes('%'))
        expect(parseAddress(text)?.version ?? 0).toBe(isIP(text))
      }),
      { numRuns: 5000 },
    )
  })

  test('has the value that a URL parser reads, in any spelling', () => {
    fc.assert(
      fc.property(fc.oneof(almost, spelled), (text) => {
        fc.pre(isIP(text) === 6)
        const parsed = parseAddress(text)
        expect(parsed && `[${formatAddress(6, parsed.value)}]`).toBe(new URL(`http://[${text}]/`).hostname)
      }),
      { numRuns: 200 },
    )
  })

  test.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '0x1.2.3.4',
    '256.1.1.1',
    '1.2.3.4 ',
    '1.2.3.4\n',
    '16909060',
    '::1%eth0',
    '[::1]',
    ':::',
    '1::2::3',
    '12345::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7:1.2.3.4',
    '::ffff:01.2.3.4',
    '::1.2.3',
    '١.2.3.4',
  ])('%j is not an address', (text) => {
    expect(parseAddress(text)).toBeUndefined()
  })

  test.each([
    ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
    ['1:0:0:2:0:0:0:3', '1:0:0:2::3'],
    ['::1.2.3.4', '::102:304'],
    ['64:ff9b::192.0.2.33', '64:ff9b::c000:221'],
    ['0000::0000', '::'],
  ])('%s has the canonical form %s', (text, canonical) => {
    expect(formatAddress(6, parseAddress(text)?.value ?? -1n)).toBe(canonical)
  })
})

describe('the key of an address', () => {
  test('sorts as text like the addresses as numbers, IPv4 before IPv6', () => {
    fc.assert(
      fc.property(address, address, (one, other) => {
        const [left, right] = [one, other].map(({ version, value }) => addressKey(version, value))
        const numeric =
          one.version - other.version || Number(one.value > other.value) - Number(one.value < other.value)
        expect(Number((left ?? '') > (right ?? '')) - Number((left ?? '') < (right ?? ''))).toBe(
          Math.sign(numeric),
        )
      }),
    )
  })

  test('is the version and all hexadecimal digits, for it is stored', () => {
    expect([addressKey(4, 0x0a000001n), addressKey(6, 1n)]).toEqual([
      '40a000001',
      `6${'1'.padStart(32, '0')}`,
    ])
  })

  test('can be converted back to the address', () => {
    fc.assert(
      fc.property(address, ({ version, value }) => {
        expect(addressOfKey(addressKey(version, value))).toBe(formatAddress(version, value))
      }),
    )
  })
})

describe('a range of addresses', () => {
  test.each([
    ['10.1.2.3', '10.1.2.3'],
    ['10.1.2.3/32', '10.1.2.3'],
    ['10.1.2.9/24', '10.1.2.0/24'],
    ['10.1.2.0-10.1.2.255', '10.1.2.0/24'],
    ['10.1.2.0 - 10.1.3.255', '10.1.2.0/23'],
    ['10.1.1.0-10.1.2.255', '10.1.1.0-10.1.2.255'],
    ['10.1.2.1-10.1.2.4', '10.1.2.1-10.1.2.4'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::/48', '2001:db8::/48'],
    ['::-::f', '::/124'],
  ])('%s has the canonical form %s', (text, canonical) => {
    const range = parseRange(text)
    expect(range && formatRange(range)).toBe(canonical)
  })

  test.each(['', '10.1.2', '10.1.2.0/33', '10.1.2.9-10.1.2.1', '10.1.2.1-::1', '10.1.2.1-', 'a-b', '1-2-3'])(
    '%j is not a range',
    (text) => {
      expect(parseRange(text)).toBeUndefined()
    },
  )

  test.each([
    ['10.1.2.0/24', '10.1.2.0/24'],
    ['10.1.2.3/32', '10.1.2.3/32'],
    ['10.1.2.1-10.1.2.4', '10.1.2.1-10.1.2.4'],
    ['10.1.2.3', undefined],
    ['web-1', undefined],
  ])('%s is the word %s', (text, word) => {
    expect(rangeWord(text)).toBe(word)
  })

  test.each([
    ['10.1.2', '10.1.2.0/24'],
    ['10.1.2.', '10.1.2.0/24'],
    ['10.1.2.*', '10.1.2.0/24'],
    ['10.1.*.*', '10.1.0.0/16'],
    ['10.1', '10.1.0.0/16'],
    ['10.1.2.0-255', '10.1.2.0/24'],
    ['10.1.2.10-20', '10.1.2.10-10.1.2.20'],
    ['2001:db8:', '2001:db8::/32'],
    ['2001:db8::', '2001:db8::/32'],
    ['10', undefined],
    ['10.1.2.3', undefined],
    ['10.1.300', undefined],
    ['10.1.2.20-10', undefined],
    ['a.b.c', undefined],
    ['', undefined],
  ])('%j may mean %s', (text, range) => {
    expect(rangeMeant(text)).toBe(range)
  })

  test('has a size', () => {
    const sizeOf = (text: string) => sizeOfRange(text, String)
    expect(['10.1.2.0/24', '10.0.0.1-10.0.0.3', '2001:db8::/64'].map(sizeOf)).toEqual(['256', '3', '≈ 2^64'])
  })

  test('is the same after formatting and parsing', () => {
    fc.assert(
      fc.property(address, fc.bigInt({ min: 0n, max: 600n }), ({ version, value }, more) => {
        const most = 2n ** (version === 4 ? 32n : 128n) - 1n
        const range = { version, first: value, last: value + more > most ? most : value + more }
        expect(parseRange(formatRange(range))).toMatchObject(range)
      }),
    )
  })
})

const small = fc
  .tuple(
    fc.constantFrom(4 as const, 6 as const),
    fc.integer({ min: 0, max: 6 }),
    fc.bigInt({ min: 0n, max: 255n }),
  )
  .map(([version, free, value]) => ({ version, prefix: (version === 4 ? 32 : 128) - free, value }))

type Small = { version: 4 | 6; prefix: number; value: bigint }

const textOf = ({ version, prefix, value }: Small) => `${formatAddress(version, value)}/${prefix}`

const read = (text: string) => {
  const cidr = parseCidr(text)
  if (!cidr) throw new Error(`${text} is no network`)
  return cidr
}

/** The naive model: every address below 512 with the leading bits of the network. */
const members = ({ version, prefix, value }: Small): bigint[] => {
  const bits = (number: bigint) =>
    number
      .toString(2)
      .padStart(version === 4 ? 32 : 128, '0')
      .slice(0, prefix)
  return Array.from({ length: 512 }, (_, index) => BigInt(index)).filter((each) => bits(each) === bits(value))
}

describe('the key ranges of a word', () => {
  const within = (key: string, word: string) =>
    keyRangesOf(word)?.some(({ first, last }) => first <= key && key <= last)

  test('contain exactly the addresses whose text contains the word', () => {
    const octet = fc.integer({ min: 0, max: 255 })
    const cut = fc.tuple(fc.nat(2), fc.nat(2))
    fc.assert(
      fc.property(
        fc.array(octet, { minLength: 4, maxLength: 4 }),
        cut,
        octet,
        (octets, [start, end], other) => {
          const text = octets.join('.')
          const word = text.slice(start, end === 0 ? undefined : -end)
          fc.pre(keyRangesOf(word) !== undefined)
          for (const place of [0, 3]) {
            const near = octets.with(place, other).join('.')
            for (const address of [text, near]) {
              const { version, value } = parseAddress(address) ?? { version: 4 as const, value: 0n }
              expect(within(addressKey(version, value), word), `${word} in ${address}`).toBe(
                address.includes(word),
              )
            }
          }
        },
      ),
      { numRuns: 500 },
    )
  })

  test('are few, empty if no address contains the word, and undefined for unsupported words', () => {
    expect(keyRangesOf('10.0.1.')).toHaveLength(3)
    expect(keyRangesOf('1.0.1.2')).toHaveLength(26 * 3)
    for (const word of ['256.0.0.1', '1.256.0.1', '1.00.0.1', '1.2.3.256', '1.2.3.01'])
      expect(keyRangesOf(word)).toEqual([])
    for (const word of ['', '1.2.3', '.1.2.3', '1.2.3.4.', 'a1.2.3.4', '1..2.3', '::1', '1.2.3.4 '])
      expect(keyRangesOf(word)).toBeUndefined()
  })
})

describe('a network', () => {
  test('has its lowest and highest address', () => {
    fc.assert(
      fc.property(small, (network) => {
        const cidr = read(textOf(network))
        const model = members(network)
        expect([cidr.first, cidr.last, cidrSize(cidr)]).toEqual([
          model[0],
          model.at(-1),
          BigInt(model.length),
        ])
        expect(cidr.hostBitsZero).toBe(network.value === model[0])
        expect(formatCidr(cidr)).toBe(textOf({ ...network, value: model[0] ?? -1n }))
      }),
    )
  })

  test('cannot assign its IPv4 network and broadcast addresses, and its lowest IPv6 address', () => {
    fc.assert(
      fc.property(small, (network) => {
        const model = members(network)
        const expected = model.length <= 2 ? model : model.slice(1, network.version === 4 ? -1 : undefined)
        expect(assignable(read(textOf(network)))).toEqual({ first: expected[0], last: expected.at(-1) })
      }),
    )
  })

  test('may contain all addresses', () => {
    expect(cidrSize(read('0.0.0.0/0'))).toBe(2n ** 32n)
    expect(cidrSize(read('::/0'))).toBe(2n ** 128n)
  })

  test.each([
    '',
    '/',
    '10/8',
    '10.0.0.0',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/08',
    '10.0.0.0/-1',
    '10.0.0.0/+8',
    '10.0.0.0/ 8',
    '10.0.0.0/٨',
    '10.0.0.0/8.0',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '::/129',
    '::1%eth0/64',
  ])('%j is not a network', (text) => {
    expect(parseCidr(text)).toBeUndefined()
  })
})

/** The codes and messages of a refusal. */
const faultsOf = (schema: z.ZodType, text: string) =>
  schema.safeParse(text).error?.issues.map((issue) => ('params' in issue ? issue.params : issue))

const long = 'x'.repeat(100)

describe('an address in a document', () => {
  test('is converted to its canonical form', () => {
    expect(addressText.parse(' 2001:DB8:0::1 ')).toBe('2001:db8::1')
    expect(addressText.parse('10.1.0.1\n')).toBe('10.1.0.1')
  })

  test('with an invalid format is refused, and the message cites its beginning', () => {
    const message = `${'x'.repeat(64)} is not an IPv4 or IPv6 address`
    expect(faultsOf(addressText, long)).toEqual([{ code: 'CONSTR-PATTERN', message }])
  })
})

describe('a CIDR in a document', () => {
  test('is converted to its canonical form', () => {
    expect(cidrText.parse(' 2001:DB8:0::/48 ')).toBe('2001:db8::/48')
    expect(cidrText.parse('10.1.0.0/16')).toBe('10.1.0.0/16')
  })

  test('with host bits is refused, and the message suggests its network', () => {
    expect(cidrText.safeParse('10.1.2.3/16').error?.issues[0]?.message).toContain('did you mean 10.1.0.0/16?')
    expect(cidrText.safeParse('2001:db8::1/48').error?.issues[0]?.message).toContain(
      'did you mean 2001:db8::/48?',
    )
  })

  test('with an invalid format is refused, and the message cites its beginning', () => {
    const message = 'Invalid format for the network CIDR: '
    for (const text of ['10.0.0.0', long])
      expect(faultsOf(cidrText, text)).toEqual([{ code: 'NAT-NET-5', message: message + text.slice(0, 64) }])
  })
})
