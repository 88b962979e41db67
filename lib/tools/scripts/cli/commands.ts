import { z } from 'zod'

/* The commands of the command line, derived from the OpenAPI description. No operation is written by hand. */

const named = z.object({ type: z.string().optional(), enum: z.array(z.string()).optional() })

/** The part of the description (OpenAPI 3.1) that the commands need. */
const description = z.object({
  info: z.object({ version: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        summary: z.string(),
        description: z.string(),
        tags: z.array(z.string()),
        parameters: z.array(
          z.object({
            name: z.string(),
            in: z.enum(['path', 'query', 'header']),
            required: z.boolean(),
            description: z.string().default(''),
            schema: named,
          }),
        ),
        requestBody: z
          .object({
            required: z.boolean(),
            content: z.record(z.string(), z.object({ example: z.unknown().optional() })),
          })
          .optional(),
        responses: z.record(
          z.string(),
          z.object({ content: z.record(z.string(), z.unknown()).default({}) }).loose(),
        ),
      }),
    ),
  ),
})

export type Parameter = {
  name: string
  /** How the command line spells it: `If-Match` is `--if-match`. */
  option: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  values: string[]
  /** The option may occur several times. */
  isList: boolean
}

export type Command = {
  /** The operation id: `listScopes`. */
  id: string
  /** The same with dashes: `list-scopes`. */
  name: string
  tag: string
  summary: string
  description: string
  method: string
  path: string
  parameters: Parameter[]
  /** JSON media types that the operation takes, each with an example, and whether it takes CSV. */
  body: { required: boolean; types: Record<string, unknown>; csv: boolean } | null
  /** True for lists that the server can write as CSV. */
  csv: boolean
  /** The media type of a response that is neither JSON nor CSV. */
  otherType: string | null
}

export type Manual = {
  version: string
  /** The subjects of commands, in the order of the manual. */
  groups: { name: string; description: string }[]
  commands: Command[]
}

/** `login` of the command line saves a token. The operation of this name reads the user. */
const nameOf = (id: string): string =>
  id === 'login' ? 'get-login' : id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const optionOf = (name: string): string => name.toLowerCase().replaceAll('_', '-')

/** `format` is an option of every command. */
const isOwnOption = ({ name }: { name: string }): boolean => name !== 'format'

/** JSON media types of a document. The plain one stands for the first of them. */
type Content = Record<string, { example?: unknown }>

function jsonTypes(content: Content): Record<string, unknown> {
  const all = Object.entries(content).filter(([type]) => /^application\/.*json$/.test(type))
  const own = all.filter(([type]) => type.endsWith('+json'))
  return Object.fromEntries((own.length > 0 ? own : all).map(([type, { example }]) => [type, example]))
}

const bodyOf = ({ required, content }: { required: boolean; content: Content }) => ({
  required,
  types: jsonTypes(content),
  csv: 'text/csv' in content,
})

/** Redirects are for browsers, and the operations of OAuth 1.0a need signatures. */
const isForPrograms =
  (path: string) =>
  ([, { responses }]: readonly [string, { responses: object }]): boolean =>
    !path.includes('/oauth/') && !Object.keys(responses)[0]?.startsWith('3')

export function manualOf(document: unknown): Manual {
  const { info, tags, paths } = description.parse(document)
  const commands = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(isForPrograms(path))
      .map(([method, operation]): Command => {
        const { operationId: id, summary, requestBody } = operation
        const [[, success] = []] = Object.entries(operation.responses)
        const types = Object.keys(success?.content ?? {})
        return {
          id,
          name: nameOf(id),
          tag: operation.tags[0] ?? 'others',
          summary,
          description: operation.description,
          method: method.toUpperCase(),
          path,
          parameters: operation.parameters.filter(isOwnOption).map(({ schema, ...parameter }) => ({
            ...parameter,
            option: optionOf(parameter.name),
            values: schema.enum ?? (schema.type === 'boolean' ? ['true', 'false'] : []),
            isList: schema.type === 'array',
          })),
          body: requestBody ? bodyOf(requestBody) : null,
          csv: types.includes('text/csv'),
          otherType: types.some((type) => type.endsWith('json')) ? null : (types[0] ?? null),
        }
      }),
  )
  return {
    version: info.version,
    groups: tags,
    commands: commands.sort((one, other) => one.name.localeCompare(other.name)),
  }
}

/** `listScopes`, `list-scopes` and `LISTSCOPES` are the same command. */
const spelling = (word: string): string => word.replaceAll('-', '').toLowerCase()

export const findCommand = ({ commands }: Manual, word: string): Command | undefined =>
  commands.find(({ id, name }) => [id, name].some((known) => spelling(known) === spelling(word)))
