import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { describeApi, jsonAlone } from '#lib/openapi/openapi.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { orEnd, ReleaseError, temporaryFolder } from '#lib/tools/release/ending'

/* `npm run client -- FOLDER` writes a typed client of the API, one file without dependencies (docs/api/description.md, "A typed client"). */

/*
 * The generator reads a body only where the answer has one: it would throw refusals of operations that answer 204 without their reason.
 * Here every refusal is an error with its document.
 */
const refusal = `/** A request that the API refused, with the codes of the reasons. */
export class Refusal extends Error {
  readonly response: Response;
  readonly errors: Errors;

  constructor(response: Response, errors: Errors) {
    super(errors.collection.map(({ code, message }) => \`\${code}: \${message}\`).join("; "));
    this.response = response;
    this.errors = errors;
  }

  get codes(): string[] {
    return this.errors.collection.map(({ code }) => code);
  }
}

/** The answer may come from a proxy. */
async function refusalOf(response: Response): Promise<Refusal> {
  const text = await response.text();
  const type = response.headers.get("content-type") ?? "";
  const isJson = /json/.test(type);
  const isText = type.startsWith("text/plain");
  const code = String(response.status);
  const errors = isJson
    ? JSON.parse(text)
    : { links: [], collection: [{ code, message: (isText && text) || response.statusText }] };
  return new Refusal(response, errors);
}

export class HttpClient<`

const reading = '      const r = response as HttpResponse<T, E>;\n'
const refusing = `      if (!response.ok) {
        if (cancelToken) this.abortControllers.delete(cancelToken);
        throw await refusalOf(response);
      }
`

/** Parts of the generated client, and what stands in their place. */
const changes = [
  ['export class HttpClient<', refusal],
  [reading, refusing + reading],
  ['      if (!response.ok) throw data;\n', ''],
] as const

const withRefusals = (client: string): string =>
  changes.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) throw new Error(`The generator no longer writes: ${from}`)
    return text.replace(from, () => to)
  }, client)

async function write(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const work = temporaryFolder('client-')
  const description = join(work, 'openapi.json')
  writeFileSync(description, jsonAlone(describeApi(await loadRoutes())))
  const program = join(import.meta.dirname, '../../../node_modules/.bin/swagger-typescript-api')
  const options = ['--module-name-first-tag', '--enum-style=union', '--unwrap-response-data', '--silent']
  const files = ['--path', description, '--output', folder, '--name', 'client.ts']
  execFileSync(program, ['generate', ...files, ...options], { stdio: ['ignore', 'ignore', 'inherit'] })
  const file = join(folder, 'client.ts')
  writeFileSync(file, withRefusals(readFileSync(file, 'utf8')))
  process.stdout.write(`The client is in ${file}\n`)
}

const [folder = 'dist/client', ...others] = parseArgs({ allowPositionals: true }).positionals
await orEnd(() => {
  if (others.length > 0) throw new ReleaseError('Name one folder: npm run client -- FOLDER')
  return write(resolve(folder))
})
