import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAst } from 'vitest/node'

/* The regular expressions of the program, and texts that make a bad one slow. */

export type Expression = { pattern: string; flags: string }

const project = join(import.meta.dirname, '../../..')

/** All code that may receive foreign input, without code that only builds, measures and tests. */
const files = globSync('{app,components,lib}/**/*.{ts,tsx}', { cwd: project }).filter(
  (file) => !/\.test\.tsx?$|\.d\.ts$|^lib\/tools\/(?!scripts\/(cli\/|gateway))/.test(file),
)

type Syntax = { [key: string]: unknown }

function* nodesIn(value: unknown): Generator<Syntax> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value) yield value as Syntax
  for (const inner of Object.values(value)) yield* nodesIn(inner)
}

/** A literal, or the argument of a constructor. A digit replaces each value of a template, because a digit also fits between braces. */
function expressionOf({ type, regex, callee, arguments: given }: Syntax): Expression | undefined {
  if (type === 'Literal' && regex) return regex as Expression
  if (type !== 'NewExpression' || (callee as { name?: string }).name !== 'RegExp') return undefined
  const [source, flags] = given as [Syntax, { value?: string } | undefined]
  const pattern =
    source.type === 'TemplateLiteral'
      ? (source.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('9')
      : String(source.value)
  return { pattern, flags: flags?.value ?? '' }
}

/** Each expression once, with the files that have it. */
export function expressionsOfProgram(): Map<string, { expression: Expression; places: string[] }> {
  const found = new Map<string, { expression: Expression; places: string[] }>()
  for (const file of files) {
    const source = readFileSync(join(project, file), 'utf8')
    if (!/[^\s*/<]\s?\/[^/*\s>]|RegExp/.test(source)) continue
    const lang = file.endsWith('x') ? 'tsx' : 'ts'
    for (const node of nodesIn(parseAst(source, { lang }))) {
      const expression = expressionOf(node)
      if (!expression) continue
      const name = `/${expression.pattern}/${expression.flags}`
      found.set(name, { expression, places: [...new Set([...(found.get(name)?.places ?? []), file])] })
    }
  }
  return found
}

/* A reader of expressions that are known to be valid. */

type Term =
  | { kind: 'character'; matches: RegExp }
  | { kind: 'group' | 'look'; ways: Term[][] }
  | { kind: 'repeated'; term: Term; least: number; most: number }

const oneTerm =
  /\\[bB]|\^|\$|(?<open>\((?:\?(?:<?[=!]|<\w+>|[\w-]*:))?)|(?<close>\))|(?<or>\|)|(?<one>\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u\w{4}|x\w\w|c\w|[^\n])|[^\n])/uy
const quantifier = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y

const quantities: Record<string, [number, number]> = {
  '*': [0, Number.POSITIVE_INFINITY],
  '+': [1, Number.POSITIVE_INFINITY],
  '?': [0, 1],
}

function limitsOf([, sign, least = '', comma, most]: RegExpExecArray): [number, number] {
  if (sign) return quantities[sign] ?? [1, 1]
  const open = most === '' ? Number.POSITIVE_INFINITY : Number(most)
  return [Number(least), comma ? open : Number(least)]
}

function readWays({ pattern, flags }: Expression): Term[][] {
  const unicode = flags.replaceAll(/[^iuvs]/g, '')
  let at = 0
  const next = (expected: RegExp): RegExpExecArray | null => {
    expected.lastIndex = at
    const found = expected.exec(pattern)
    if (found) at += found[0].length
    return found
  }
  const read = (): Term[][] => {
    const ways: Term[][] = [[]]
    while (at < pattern.length) {
      const groups = next(oneTerm)?.groups
      if (!groups) throw new Error(`This reader does not know ${pattern.slice(at)}`)
      const { open, close, or, one } = groups
      if (close) return ways
      if (or) ways.push([])
      const term: Term | undefined = open
        ? { kind: /[=!]$/.test(open) ? 'look' : 'group', ways: read() }
        : one === undefined || /^\\[1-9k]/.test(one)
          ? undefined
          : { kind: 'character', matches: new RegExp(`^${one}$`, unicode) }
      const limits = next(quantifier)
      if (!term) continue
      const [least, most] = limits ? limitsOf(limits) : [1, 1]
      ways.at(-1)?.push(limits ? { kind: 'repeated', term, least, most } : term)
    }
    return ways
  }
  return read()
}

/* Attack texts: the part before a repetition, then the repeated part, then a text that matches nowhere. */

type Attack = { before: string; unit: string; after: string }

const USUAL = [...'0aAx \t\n.-/:,="\'\\(<@_é一\u0000']
const BEFORE = ['', 'a']
const AFTER = ['', '\n', '\u0000', ' ', 'a', '0', '!', '"']
const UNITS = 16
const MANY = 100

export function attacksOn(expression: Expression): Attack[] {
  const characters = [
    ...new Set([...expression.pattern.replaceAll(/\\[a-zA-Z]/g, '').replaceAll('\\', ''), ...USUAL]),
  ]
  const words = expression.pattern.match(/[\w/-]{2,}/g) ?? []
  const fitting = ({ matches }: { matches: RegExp }) => characters.filter((each) => matches.test(each))

  const sample = (term: Term, optional: boolean): string => {
    if (term.kind === 'look') return ''
    if (term.kind === 'character') return fitting(term)[0] ?? ''
    if (term.kind === 'repeated')
      return sample(term.term, optional).repeat(Math.min(term.least || (optional ? 1 : 0), MANY))
    return sampleAll(term.ways.toSorted((a, b) => b.length - a.length)[0] ?? [], optional)
  }
  const sampleAll = (terms: readonly Term[], optional: boolean): string =>
    terms.map((each) => sample(each, optional)).join('')
  const unitsOf = (term: Term): string[] => {
    if (term.kind === 'character') return fitting(term)
    if (term.kind === 'repeated') return unitsOf(term.term)
    return term.ways.flatMap((terms) => [
      sampleAll(terms, false),
      sampleAll(terms, true),
      ...terms.flatMap(unitsOf),
    ])
  }

  const found: Attack[] = []
  const attack = (befores: string[], units: string[]) => {
    for (const before of new Set(befores))
      for (const unit of new Set(units))
        if (unit) for (const after of AFTER) found.push({ before, unit, after })
  }
  const visit = (terms: readonly Term[], befores: string[]) => {
    terms.forEach((term, index) => {
      const here = terms.slice(0, index)
      const own = [false, true].flatMap((optional) => befores.map((each) => each + sampleAll(here, optional)))
      const inner = term.kind === 'repeated' ? term.term : term
      if (term.kind === 'repeated' && term.most > MANY) {
        const units = [...new Set(unitsOf(term.term))].slice(0, UNITS)
        attack([...BEFORE, ...own], units)
        attack([''], [...own.flatMap((each) => units.slice(0, 2).map((unit) => each + unit)), ...words])
      }
      if (inner.kind !== 'character' && inner.kind !== 'repeated')
        for (const way of inner.ways) visit(way, [...new Set(['', ...own])].slice(0, 4))
    })
  }
  for (const way of readWays(expression)) visit(way, [''])
  return found
}
