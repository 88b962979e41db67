import type { RawAnswer } from '#lib/tools/testing/raw'

/* Ways to write a path: some are used in attacks, and some mean the same as the plain path. */

export type Spelling = {
  target: string
  /** The plain path; an address that is refused with 400; or a path that is another one. */
  means: 'same' | 'refused' | 'other'
}

const hex = (letter: string): string => `%${letter.charCodeAt(0).toString(16).padStart(2, '0')}`

const dots = [
  ...['..', '%2e%2e', '%2E%2E', '.%2e', '%2e.', '%252e%252e', '%252E.', '%25252e%25252e'],
  ...['%c0%ae%c0%ae', '%e0%80%ae%e0%80%ae', '..%00', '%u002e%u002e', '..%0d', '.%09.'],
]
const slashes = ['/', '//', '%2f', '%2F', '\\', '%5c', '%5C', '%252f', '%255c', '/.\\', '%00/']
const before = ['/x', '/_next', '/_next/static', '/scopes', '/favicon.svg', '/healthz', '']

/** Into another folder and out of it again. */
const detours = (path: string): string[] =>
  before.flatMap((folder) =>
    dots.flatMap((up) => slashes.map((slash) => `${folder}/${up}${slash}${path.slice(1)}`)),
  )

const here = (path: string): string[] =>
  ['.', '%2e', '%2E', '%252e'].flatMap((dot) => [
    `/${dot}${path}`,
    `${path}/${dot}`,
    `${path}/${dot}/`,
    path.replaceAll('/', `/${dot}/`),
  ])

const controls = ['%00', '%01', '%09', '%0a', '%0d', '%0d%0aX-Forged:%20yes', '%1b', '%7f', '%c2%85', '%2500']
const unreadable = [
  '%',
  '%f',
  '%zz',
  '%ff',
  '%c3',
  '%e0%a4',
  '%ed%a0%80',
  '%u0061',
  '\xff',
  '#x',
  '%2523%2500',
]

type Choice = (all: readonly string[]) => readonly string[]

const refused = (path: string, host: string, some: Choice): string[] => [
  ...some(detours(path)),
  ...here(path),
  ...[...controls, ...unreadable].flatMap((text) => [path + text, `/${text}${path}`]),
  ...['%2f', '%2F', '%5c', '\\', '%252f', '%25252f', '%255c'].flatMap((slash) => [
    path.slice(0, 1) + path.slice(1).replaceAll('/', slash) + slash,
    `/${slash}${path.slice(1)}`,
    `${path}${slash}`,
  ]),
  ...['http://other.test', `http://${host}.other.test`, `http://admin@${host}`, `http://${host}@other.test`],
  ...[
    `ftp://${host}${path}`,
    `file://${path}`,
    `http://${path}`,
    `http:${path}`,
    path.slice(1),
    '*',
    host,
    '?',
  ],
]

const same = (path: string, host: string): string[] => [
  path,
  ...[
    `${path}/`,
    `${path}//`,
    `/${path}`,
    `//${path}`,
    path.replaceAll('/', '//'),
    path.replaceAll('/', '////'),
  ],
  ...[...path].flatMap((letter, index) =>
    letter === '/' ? [] : [`${path.slice(0, index)}${hex(letter)}${path.slice(index + 1)}`],
  ),
  path.replaceAll(/[^/]/g, hex),
  path.replaceAll(/[^/]/g, (letter) => hex(letter).toUpperCase()),
  ...['?', '?x=/../api', '?x=%2e%2e%2f', '?x=\\', '?//'].map((query) => path + query),
  ...['http://', 'HTTP://', 'https://'].map((scheme) => `${scheme}${host}${path}`),
]

const others = (path: string): string[] => [
  ...[`/x${path}`, `/x/..;${path}`, `/;x${path}`, `/x/...${path}`, `/%20${path}`, `/%2b${path}`],
  ...[
    `/%ef%bc%8e%ef%bc%8e${path}`,
    `/%e2%80%ae${path}`,
    `/_next/image?url=${path}`,
    `/_next/data/x${path}.json`,
  ],
  ...[`${path};x`, `${path}.rsc`, `${path}.json`, `${path}%20`, `${path}%3f`, `${path}%23`, `${path}%25`],
]

/** A thousand ways to write this path to the server of that name. Most are detours, of which a caller may choose some. */
export function spellingsOf(path: string, host: string, some: Choice = (all) => all): Spelling[] {
  const kinds = { same: same(path, host), refused: refused(path, host, some), other: others(path) }
  return (['same', 'refused', 'other'] as const).flatMap((means) =>
    [...new Set(kinds[means])].map((target) => ({ target, means })),
  )
}

const shown = ({ status, body }: RawAnswer): string => `${status} ${body}`

/** The difference between the answer to a spelling and the answer to the plain path, or undefined. */
export function misreading(
  { target, means }: Spelling,
  plain: RawAnswer,
  answer: RawAnswer,
  show: (answer: RawAnswer) => string = shown,
): string | undefined {
  const isRight = {
    same: show(answer) === show(plain),
    refused: answer.status === 400,
    other: show(answer) !== show(plain) || answer.status >= 400,
  }[means]
  return isRight
    ? undefined
    : `${means} ${JSON.stringify(target)}: ${answer.status} ${answer.body.slice(0, 200)}`
}
