import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { z } from 'zod'
import type { Release } from '#lib/tools/scripts/package/build'

const component = z.looseObject({
  name: z.string(),
  properties: z.array(z.object({ name: z.string() })).default([]),
})

const bill = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({}) }),
  components: z.array(component),
})

/** A dependency for development whose files are part of the built console. */
const bundled = new Set(['swagger-ui-dist'])

/** An id of the commit in the form of RFC 9562 §5.8: the version 8 is for ids of one's own making. */
function uuidOf(commit: string): string {
  const hex = createHash('sha256').update(commit).digest('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}

/** Writes the list of the package's components (CycloneDX). The packages of development must be installed. */
export function writeBillOfMaterials(source: string, { commit, date, version }: Release, file: string): void {
  const output = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--loglevel=error'], {
    cwd: source,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const { components, metadata, dependencies, ...head } = bill
    .extend({ dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })) })
    .parse(JSON.parse(output))
  const isShipped = ({ name, properties }: z.infer<typeof component>): boolean =>
    bundled.has(name) || !properties.some((property) => property.name === 'cdx:npm:package:development')
  const shipped = components.filter(isShipped)
  const refs = new Set([metadata.component, ...shipped].map((one) => one['bom-ref']))
  const content = {
    ...head,
    serialNumber: `urn:uuid:${uuidOf(commit)}`,
    metadata: {
      ...metadata,
      timestamp: new Date(date * 1000).toISOString(),
      component: { ...metadata.component, type: 'application', name: 'cloud-console', version },
    },
    components: shipped,
    dependencies: dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((on) => refs.has(on)) })),
  }
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`)
}
