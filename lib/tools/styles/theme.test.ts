import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { themeStyles } from './theme.js'

test('theme.css is the output of `npm run theme`', async () => {
  expect(readFileSync('lib/tools/styles/theme.css', 'utf8')).toBe(await themeStyles())
})
