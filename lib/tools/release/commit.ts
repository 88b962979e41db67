import { execFileSync } from 'node:child_process'
import { z } from 'zod'

/* The commit that is checked out, from which releases and packages are made. */

/** Runs git in the project and returns its output. Throws if it fails, with its words. */
export const git = (project: string, ...args: string[]): string =>
  execFileSync('git', args, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim()

/** Whether the work tree has changes that are in no commit. */
export const isChanged = (project: string): boolean => git(project, 'status', '--porcelain') !== ''

const manifest = z.object({ version: z.string() })

/** The version in package.json. */
export const versionOfCommit = (project: string): string =>
  manifest.parse(JSON.parse(git(project, 'show', 'HEAD:package.json'))).version
