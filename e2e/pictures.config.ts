import { defineConfig } from 'playwright/test'
import tests from './playwright.config'

/** `npm run pictures`: takes the pictures of README.md instead of running the tests. */
export default defineConfig(tests, { testMatch: 'readme-pictures.ts', workers: 1 })
