/*
 * What a description promises to programs, one fact a line, and which facts of a release a later description breaks
 * (docs/operation.md, "Versions").
 */

type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  anyOf?: Schema[]
} & Partial<Record<Bound, number>> & { pattern?: string }

type Content = Record<string, { schema?: Schema }>
type Parameter = { name: string; in: string; required?: boolean; schema?: Schema }
type Operation = {
  operationId: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
}
export type Description = {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const MUST = ' must be sent'

/** Bounds on what is sent. A later version may allow more: `least` bounds may fall, the others may rise. */
const least = ['minLength', 'minimum', 'minItems'] as const
const most = ['maxLength', 'maximum', 'maxItems'] as const
type Bound = (typeof least)[number] | (typeof most)[number]

const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1)

type Look = { schemas: Record<string, Schema>; isSent: boolean }

/** The facts about a value. Answers name other documents; what is sent is followed, because the names of its documents are numbered. */
function ofValue(subject: string, schema: Schema, look: Look): string[] {
  const { $ref, anyOf, items, properties = {}, required = [], additionalProperties } = schema
  if ($ref) {
    const target = look.schemas[nameIn($ref)]
    if (!look.isSent || nameIn($ref) === 'link' || !target) return [`${subject}: ${nameIn($ref)}`]
    return ofValue(subject, target, look)
  }
  const must = look.isSent ? MUST : ' is always there'
  return [
    ...[schema.type ?? []]
      .flat()
      .map((type) => `${subject}: ${type}${schema.format ? `, ${schema.format}` : ''}`),
    ...(look.isSent ? [...ofChoices(subject, schema), ...ofBounds(subject, schema)] : []),
    ...(anyOf ?? []).flatMap((one) => ofValue(subject, one, look)),
    ...(items ? ofValue(`${subject}[]`, items, look) : []),
    ...(typeof additionalProperties === 'object' ? ofValue(`${subject}{}`, additionalProperties, look) : []),
    ...Object.entries(properties).flatMap(([name, value]) => ofValue(`${subject}.${name}`, value, look)),
    ...required.map((name) => `${subject}.${name}${must}`),
  ]
}

const ofChoices = (subject: string, { enum: choices = [], const: only }: Schema): string[] =>
  [...choices, ...(only === undefined ? [] : [only])].map(
    (choice) => `${subject} takes ${JSON.stringify(choice)}`,
  )

const ofBounds = (subject: string, schema: Schema): string[] => [
  ...[...least, ...most].flatMap((bound) =>
    schema[bound] === undefined ? [] : [`${subject} has ${bound} ${schema[bound]}`],
  ),
  ...(schema.pattern ? [`${subject} has pattern ${schema.pattern}`] : []),
]

function ofOperation(method: string, path: string, operation: Operation, schemas: Look['schemas']): string[] {
  const { operationId: id, parameters = [], requestBody, responses } = operation
  const sent = { schemas, isSent: true }
  const bodies = Object.entries(requestBody?.content ?? {})
  return [
    `${id}: ${method.toUpperCase()} ${path}`,
    ...parameters.flatMap(({ name, in: place, required, schema = {} }) => {
      const subject = `${id} ${place}:${name}`
      return [subject, ...ofValue(subject, schema, sent), ...(required ? [`${subject}${MUST}`] : [])]
    }),
    ...bodies.flatMap(([type, { schema = {} }]) => [
      `${id} reads ${type}`,
      ...ofValue(`${id} body`, schema, sent),
    ]),
    ...(requestBody?.required ? [`${id} body${MUST}`] : []),
    ...Object.entries(responses).flatMap(([status, { content = {} }]) =>
      Number(status) >= 300
        ? []
        : Object.entries(content).flatMap(([type, { schema = {} }]) => [
            `${id} answers ${status} ${type}`,
            ...ofValue(`${id} ${status}`, schema, { schemas, isSent: false }),
          ]),
    ),
  ]
}

/** The facts of a description, sorted, each once. */
export function promisesOf({ paths, components: { schemas } }: Description): string[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => ofOperation(method, path, operation, schemas)),
  )
  const answers = Object.entries(schemas)
    .filter(([name]) => !name.includes('-input'))
    .flatMap(([name, schema]) => ofValue(name, schema, { schemas, isSent: false }))
  return [...new Set([...operations, ...answers])].toSorted()
}

type Demand = { subject: string; bound?: string; value?: string }

/** What must be sent, or a bound on it; undefined for a fact that only gives. */
function demandIn(line: string): Demand | undefined {
  if (line.endsWith(MUST)) return { subject: line.slice(0, -MUST.length) }
  const [subject = '', rest] = line.split(' has ')
  const [bound = '', value = ''] = rest?.split(/ (.*)/s) ?? []
  return rest === undefined ? undefined : { subject, bound, value }
}

/** What a program that was written for the release cannot rely on any more. A new field, parameter or value breaks nothing. */
export function brokenBy(now: readonly string[], release: readonly string[]): string[] {
  const [present, past] = [new Set(now), new Set(release)]
  const gone = release.filter((line) => !demandIn(line) && !present.has(line))
  const demanded = now.filter((line) => !past.has(line) && isNewDemand(line, release))
  return [...gone.map((line) => `gone: ${line}`), ...demanded.map((line) => `new: ${line}`)]
}

/** `line`: a fact that the release lacks. */
function isNewDemand(line: string, release: readonly string[]): boolean {
  const { subject = '', bound, value } = demandIn(line) ?? {}
  const operation = subject.split(' ', 1)[0] ?? ''
  const isKnown = (text: string) => release.some((other) => other.startsWith(text))
  if (!subject || !isKnown(`${operation}: `)) return false
  // A field that is new must not be sent; another one has the bounds of its release or wider ones.
  if (!bound) return true
  if (!isKnown(`${subject}: `)) return false
  const before = release
    .find((other) => other.startsWith(`${subject} has ${bound} `))
    ?.split(' ')
    .at(-1)
  if (before === undefined || bound === 'pattern') return true
  return least.some((name) => name === bound)
    ? Number(value) > Number(before)
    : Number(value) < Number(before)
}
