import { Buffer } from 'node:buffer'
import type { Browser, Page } from 'playwright/test'

/* Pictures as WebP, a quarter of a PNG. The browser encodes and decodes them: nothing else has to be installed. */

const blanks = new WeakMap<Browser, Promise<Page>>()

/**
 * A page without a content security policy, which would refuse the data URLs. Each browser keeps one for all tests: a page of
 * its own for each test would be a process more to start.
 */
export async function blankPage(page: Page): Promise<Page> {
  const browser = page.context().browser()
  if (!browser) throw new Error('the page has no browser')
  const blank = blanks.get(browser) ?? browser.newContext().then((context) => context.newPage())
  blanks.set(browser, blank)
  return blank
}

const urlOf = (type: 'png' | 'webp', picture: Buffer) =>
  `data:image/${type};base64,${picture.toString('base64')}`

/** `quality` from 0 to 1. */
export async function toWebp(page: Page, png: Buffer, quality: number): Promise<Buffer> {
  const base64 = await page.evaluate(
    async ({ source, wanted }) => {
      const image = new Image()
      image.src = source
      await image.decode()
      const canvas = document.createElement('canvas')
      canvas.width = image.width
      canvas.height = image.height
      canvas.getContext('2d')?.drawImage(image, 0, 0)
      const url = canvas.toDataURL('image/webp', wanted)
      return url.slice(url.indexOf(',') + 1)
    },
    { source: urlOf('png', png), wanted: quality },
  )
  return Buffer.from(base64, 'base64')
}

/**
 * The share of pixels in which a picture, once it is WebP, differs visibly from the stored one: by more than a fifth in one colour;
 * 1 for pictures of different sizes.
 */
export const difference = (page: Page, png: Buffer, quality: number, stored: Buffer): Promise<number> =>
  page.evaluate(
    async ({ taken, kept, wanted }) => {
      const draw = async (source: string) => {
        const image = new Image()
        image.src = source
        await image.decode()
        const canvas = document.createElement('canvas')
        canvas.width = image.width
        canvas.height = image.height
        const drawing = canvas.getContext('2d', { willReadFrequently: true })
        drawing?.drawImage(image, 0, 0)
        return { canvas, drawing }
      }
      const pixelsOf = ({ canvas, drawing }: Awaited<ReturnType<typeof draw>>) =>
        drawing?.getImageData(0, 0, canvas.width, canvas.height)
      const encoded = (await draw(taken)).canvas.toDataURL('image/webp', wanted)
      const [first, second] = (await Promise.all([draw(encoded), draw(kept)])).map(pixelsOf)
      if (!first || first.width !== second?.width || first.height !== second.height) return 1
      // A million pixels: without an array for each, and most of them are alike.
      const ones = new Uint32Array(first.data.buffer)
      const others = new Uint32Array(second.data.buffer)
      let differing = 0
      for (let pixel = 0; pixel < ones.length; pixel++) {
        if (ones[pixel] === others[pixel]) continue
        for (let colour = pixel * 4; colour < pixel * 4 + 3; colour++) {
          if (Math.abs((first.data[colour] ?? 0) - (second.data[colour] ?? 0)) <= 51) continue
          differing++
          break
        }
      }
      return differing / (first.width * first.height)
    },
    { taken: urlOf('png', png), kept: urlOf('webp', stored), wanted: quality },
  )
