import { Buffer } from 'node:buffer'
import type { BrowserContext, Page } from 'playwright/test'

/* Pictures as WebP, a quarter of a PNG. The browser encodes and decodes them: nothing else has to be installed. */

/** On a page without a content security policy, which would refuse the data URLs. */
export async function onBlankPage<T>(context: BrowserContext, work: (page: Page) => Promise<T>): Promise<T> {
  const blank = await context.newPage()
  try {
    return await work(blank)
  } finally {
    await blank.close()
  }
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

/** The share of pixels that differ visibly, by more than a fifth in one colour; 1 for pictures of different sizes. */
export const difference = (page: Page, one: Buffer, other: Buffer): Promise<number> =>
  page.evaluate(
    async (sources) => {
      const pictures = await Promise.all(
        sources.map(async (source) => {
          const image = new Image()
          image.src = source
          await image.decode()
          const canvas = document.createElement('canvas')
          canvas.width = image.width
          canvas.height = image.height
          const drawing = canvas.getContext('2d')
          drawing?.drawImage(image, 0, 0)
          return drawing?.getImageData(0, 0, image.width, image.height)
        }),
      )
      const [first, second] = pictures
      if (!first || first.width !== second?.width || first.height !== second.height) return 1
      let differing = 0
      for (let pixel = 0; pixel < first.data.length; pixel += 4) {
        // A million pixels: without an array for each.
        for (let colour = pixel; colour < pixel + 3; colour++) {
          if (Math.abs((first.data[colour] ?? 0) - (second.data[colour] ?? 0)) <= 51) continue
          differing++
          break
        }
      }
      return differing / (first.width * first.height)
    },
    [one, other].map((picture) => urlOf('webp', picture)),
  )
