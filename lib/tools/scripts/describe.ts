import { writeFileSync } from 'node:fs'
import { describeApi } from '#lib/openapi/openapi.server'
import { loadRoutes } from '#lib/request/pipeline/routes.server'
import { manualOf } from '#lib/tools/scripts/cli/commands'

/* Writes the commands of the command line from the description of the API, part of `npm run build`. */

writeFileSync('.next/commands.json', JSON.stringify(manualOf(describeApi(await loadRoutes()))))
