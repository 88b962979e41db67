import type { Page } from 'playwright/test'
import { expect } from './fixtures'

type Box = { left: number; top: number; right: number; bottom: number }
/** `place`: within the content, which scrolls. */
type Stop = { id: number; name: string; seen: boolean; marked: boolean; isGuard: boolean; place: Box | null }

/** Marks the elements that Tab reaches; inside a composite widget (a grid, a menu) the arrow keys move on. */
const markStops = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const composite =
      '[role=grid], [role=treegrid], [role=tablist], [role=radiogroup], [role=menu], [role=listbox], [role=toolbar]'
    const candidates = document.querySelectorAll<HTMLElement | SVGElement>(
      'a[href], button, input, select, textarea, summary, [tabindex]',
    )
    return [...candidates].flatMap((element, index) => {
      element.dataset.stop = String(index)
      const isOff = element.matches(
        ':disabled, [tabindex="-1"], [aria-hidden=true], [aria-hidden=true] *, [inert] *',
      )
      const isShown =
        element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
      const isInside = element.closest(composite) !== null
      return isOff ||
        !isShown ||
        isInside ||
        (element instanceof HTMLInputElement && element.type === 'radio')
        ? []
        : [index]
    })
  })

const focusedStop = (page: Page): Promise<Stop | null> =>
  page.evaluate(() => {
    const element = document.activeElement
    if (!(element instanceof HTMLElement || element instanceof SVGElement) || element === document.body)
      return null
    // Focus guards of dialogs and lists are empty and pass the focus on; a bar that scrolls a wide table only scrolls.
    const isGuard = element.matches('div:empty, div[class*="sticky-scrollbar"]')
    const { width, height, top, bottom, left, right } = element.getBoundingClientRect()
    // WCAG 2.2, 2.4.11: nothing covers all of it.
    const isUncovered = [0.5, 0.1, 0.9].some((x) =>
      [0.5, 0.1, 0.9].some((y) => {
        const upmost = document.elementFromPoint(left + x * width, top + y * height)
        return upmost !== null && (element.contains(upmost) || upmost.contains(element))
      }),
    )
    const main = element.closest('main')
    // How far the screen and the boxes in it are scrolled.
    let [x, y] = [0, 0]
    for (let box = element.parentElement; box && main?.contains(box); box = box.parentElement) {
      x += box.scrollLeft
      y += box.scrollTop
    }
    // Panels and bars stay where they are while the content scrolls, and a long list moves its rows while it scrolls.
    const isApart = element.closest('aside, [class*=_actions], [class*=_bar], tbody') !== null
    const label =
      element.getAttribute('aria-label') ?? element.getAttribute('aria-labelledby') ?? element.textContent
    const named = [
      label,
      element.getAttribute('placeholder'),
      (element as HTMLInputElement).labels?.[0]?.textContent,
    ]
    return {
      id: Number(element.dataset.stop ?? -1),
      isGuard,
      name: `${element.tagName.toLowerCase()} ${
        named
          .find((text) => text?.trim())
          ?.trim()
          .slice(0, 60) ?? `(no name) ${element.outerHTML.slice(0, 300)}`
      }`,
      seen: width * height > 0 && bottom > 0 && top < innerHeight && isUncovered,
      marked: element.matches(':focus-visible'),
      place: main && !isApart ? { left: left + x, right: right + x, top: top + y, bottom: bottom + y } : null,
    }
  })

/** The focus goes up only to another column at its right: it follows the order of reading. */
function backward(stops: readonly Stop[]): string[] {
  return stops.flatMap(({ name, place }, index) => {
    const before = stops[index - 1]
    if (!place || !before?.place) return []
    const isAbove = place.bottom <= before.place.top
    return isAbove && place.left < before.place.right ? [`${before.name} → ${name}`] : []
  })
}

/**
 * Walks the screen by Tab alone, from its start to its end: nothing is left out, nothing holds the focus, each stop can be
 * seen, and the order is that of reading.
 */
export async function expectWalkable(page: Page): Promise<void> {
  await page.evaluate(() => {
    // The walk begins at the top, wherever the screen has put the focus.
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
  const wanted = await markStops(page)
  const stops: Stop[] = []
  const reached = new Map<number, Stop>()
  const visits = new Map<string, number>()
  for (let press = 0; press < wanted.length * 2 + 60; press++) {
    await page.keyboard.press('Tab')
    const stop = await focusedStop(page)
    if (!stop) break
    const times = (visits.get(`${stop.id} ${stop.name}`) ?? 0) + 1
    visits.set(`${stop.id} ${stop.name}`, times)
    if (times > 2) break
    if (stop.isGuard) continue
    stops.push(stop)
    reached.set(stop.id, stop)
  }
  // One check for all stops: each check of its own is a step that the report keeps.
  const faulty = stops.filter(({ name, seen, marked }) => !(seen && marked) || name.includes('(no name)'))
  expect.soft(faulty, 'out of sight, not marked, or without a name').toEqual([])
  expect.soft(backward(stops), 'against the order of reading').toEqual([])
  const left = await page.evaluate(
    (ids) =>
      ids.flatMap((id) => {
        const element = document.querySelector(`[data-stop="${id}"]`)
        return element ? [element.outerHTML.slice(0, 160)] : []
      }),
    wanted.filter((id) => !reached.has(id)),
  )
  expect.soft(left, 'not reached by Tab').toEqual([])
}
