import type { JsonSchema } from '#lib/openapi/schema'
import type { Random } from '#lib/tools/sample/random'

/* Values for a schema: of a sound request such as it describes, of a wild one also something else. */

const texts = [
  '',
  'x',
  'Ámbito 東京 🌍',
  '%_\\',
  "'; drop table users; --",
  '<b>&amp;</b>',
  ']]>',
  '=1+1',
  '../../etc/passwd',
  'a\u0000b',
  '\ud800',
  '\r\nX-Injected: yes',
  '10.0.0.7',
  '10.0.0.0/24',
  '2001:db8::/64',
  '300.1.1.1/33',
  'en_US',
  'somebody@example.test',
  'TCP',
  'APP_AUTHENTICATOR',
  'ENTERPRISE',
  'true',
  '9'.repeat(40),
  'long '.repeat(400),
] as const

const odd = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  'text',
  [],
  {},
  [[]],
  { links: null },
  Number.MAX_SAFE_INTEGER,
] as const

const numbers = [0, 1, 2, 25, 255, 65_535, 65_537, -1, 1_000_000, 2 ** 31, 2 ** 53] as const

export type Making = {
  random: Random
  /** Whether anything goes. */
  wild: boolean
  /** The schemas that a reference may name. */
  schemas: Record<string, JsonSchema>
  /** An address of something that exists, of this kind if there is one. */
  href: (kind?: string) => string
}

const fields = (schema: JsonSchema, name: string): JsonSchema =>
  (schema[name] as JsonSchema | undefined) ?? {}

/** A value for the schema. `depth` ends schemas that contain themselves. */
export function valueFor(schema: JsonSchema, making: Making, depth = 0, field = ''): unknown {
  const { random, schemas } = making
  if (making.wild && random.chance(0.06)) return random.pick(odd)
  if (typeof schema.$ref === 'string') {
    const name = schema.$ref.split('/').at(-1) ?? ''
    return valueFor(schemas[name] ?? {}, making, depth + 1, field)
  }
  const choices = (schema.anyOf ?? schema.oneOf ?? schema.enum) as unknown[] | undefined
  const chosen = choices?.[random.below(choices.length)]
  if (schema.enum) return chosen
  if (chosen) return valueFor(chosen as JsonSchema, making, depth + 1, field)
  if ('const' in schema) return schema.const
  if (depth > 6) return null
  switch (schema.type) {
    case 'object':
      return objectFor(schema, making, depth)
    case 'array': {
      const length = field === 'links' ? rels.length : random.below(4)
      return Array.from({ length }, (_, index) =>
        field === 'links' ? link(making, index) : valueFor(fields(schema, 'items'), making, depth + 1, field),
      )
    }
    case 'integer':
    case 'number':
      return making.wild ? random.pick(numbers) : 1 + random.below(300)
    case 'boolean':
      return random.chance(0.5)
    default:
      return making.wild ? textFor(random) : soundText(field, random)
  }
}

const address = (random: Random): string => `10.${random.below(4)}.${random.below(256)}.${random.below(256)}`

/** Values for a field of this name. */
function soundText(field: string, random: Random): string {
  switch (field) {
    case 'ip':
      return address(random)
    case 'cidr':
    case 'allowedCIDRs':
      return `10.${random.below(256)}.${random.below(256)}.0/24`
    case 'email':
      return `fuzz-${random.below(1000)}@example.test`
    case 'locale':
      return random.pick(['en_US', 'es_ES', 'de_DE'])
    case 'mac':
      return `02:00:00:00:00:${(16 + random.below(200)).toString(16)}`
    case 'password':
      return 'a password of the fuzzer'
    case 'protocol':
      return random.pick(['TCP', 'UDP', 'ANY'])
    case 'type':
      return random.pick(['ENTERPRISE', 'DATACENTER', 'APP_AUTHENTICATOR'])
    default:
      return `fuzz-${random.below(1_000_000)}`
  }
}

export const textFor = (random: Random): string =>
  random.chance(0.5) ? `fuzz-${random.below(1_000_000)}` : random.pick(texts)

/** Relations that documents know, and the word before the id in the address of their targets. */
const rels = [
  ['scope', 'scopes'],
  ['scopeParent', 'scopes'],
  ['enterprise', 'enterprises'],
  ['role', 'roles'],
  ['device', 'devices'],
  ['devicetype', 'devicetypes'],
  ['location', 'locations'],
  ['original', 'ips'],
  ['translated', 'privateips'],
  ['virtualdatacenter', 'virtualdatacenters'],
  ['virtualmachinetemplate', 'virtualmachinetemplates'],
  ['nic0', 'privateips'],
  ['privilege1', 'privileges'],
] as const

function link({ random, wild, href }: Making, index: number): unknown {
  const [rel, kind] = rels[index % rels.length] ?? rels[0]
  if (!wild) return { rel, href: href(kind) }
  return {
    ...(!random.chance(0.1) && { rel: random.chance(0.1) ? textFor(random) : rel }),
    ...(!random.chance(0.1) && { href: random.chance(0.2) ? textFor(random) : href() }),
    ...(random.chance(0.2) && { type: textFor(random), title: textFor(random) }),
  }
}

function objectFor(schema: JsonSchema, making: Making, depth: number): unknown {
  const { random } = making
  const entries = Object.entries(fields(schema, 'properties')).flatMap(([name, field]) =>
    random.chance(making.wild ? 0.2 : 0.05) || (name === 'id' && !making.wild)
      ? []
      : [[name, valueFor(field as JsonSchema, making, depth + 1, name)] as const],
  )
  if (schema.additionalProperties)
    entries.push([textFor(random), valueFor(fields(schema, 'additionalProperties'), making, depth + 1)])
  if (random.chance(0.1))
    entries.push([random.pick(['__proto__', 'constructor', 'unknown', 'id']), random.pick(odd)])
  return Object.fromEntries(entries)
}
