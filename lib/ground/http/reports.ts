import { ownLink } from '#lib/ground/http/view'

/** These documents contain the reports of gateways, which are no changes by users. */
const reported: Record<string, readonly string[]> = {
  device: ['status'],
  natrule: ['deviceState', 'packets', 'bytes'],
}

const namesIn = (document: object | undefined): readonly string[] =>
  reported[ownLink(document)?.type ?? ''] ?? []

export const isReported = (document: object | undefined, field: string): boolean =>
  namesIn(document).includes(field)

/** The document without the reports in it and in its NAT rules. The same object if there are none. */
export function withoutReports(document: object): object {
  const names = namesIn(document)
  const isWithout = names.every((name) => !(name in document))
  const own = isWithout
    ? document
    : Object.fromEntries(Object.entries(document).filter(([name]) => !names.includes(name)))
  const rules = 'natrules' in document && Array.isArray(document.natrules) ? document.natrules : []
  const natrules = rules.map(withoutReports)
  return natrules.every((rule, index) => rule === rules[index]) ? own : { ...own, natrules }
}
