import { ReleaseError } from '#lib/tools/release/ending'

const OPEN = '## Unreleased\n'

/** Gives the changes that are not released yet this version and day, and begins an empty section above them. */
export function dated(changelog: string, version: string, day: string): string {
  const [before, after] = changelog.split(OPEN)
  const changes = openChanges(changelog)
  if (before === undefined || after === undefined || !changes)
    throw new ReleaseError('CHANGELOG.md has no changes under "## Unreleased"')
  return `${before}${OPEN}\n## ${version} (${day})\n${after}`
}

export const hasOpenChanges = (changelog: string): boolean => openChanges(changelog) !== ''

/** Whether the changelog has a section of this version. */
export const isDated = (changelog: string, version: string): boolean =>
  changelog.split('\n').some((line) => `${line} `.startsWith(`## ${version} `))

const openChanges = (changelog: string): string =>
  changelog.split(OPEN)[1]?.split(/^## /m, 1)[0]?.trim() ?? ''

type Version = [number, number, number]

const form = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/

export const isVersion = (text: string): boolean => form.test(text)

/** The parts of MAJOR.MINOR.PATCH. */
export function versionOf(text: string): Version {
  const parts = form.exec(text)?.slice(1).map(Number)
  if (!parts) throw new ReleaseError(`${text} is no version, which is MAJOR.MINOR.PATCH such as 2.1.0`)
  return parts as Version
}

export function isAfter(one: string, other: string): boolean {
  const [parts, others] = [versionOf(one), versionOf(other)]
  const at = parts.findIndex((part, index) => part !== others[index])
  return at >= 0 && (parts[at] ?? 0) > (others[at] ?? 0)
}

/** Whether programs that were written for the other version may break. */
export const isMajorAfter = (one: string, other: string): boolean => versionOf(one)[0] > versionOf(other)[0]
