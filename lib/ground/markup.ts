/* XML and HTML that this program writes itself. */

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** For texts and attributes of XML and HTML. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '')

/** Text that is HTML already. */
class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Value = string | Html | readonly Html[]

const written = (value: Value): string => {
  if (value instanceof Html) return value.text
  return typeof value === 'string' ? escaped(value) : value.map(written).join('')
}

/** A template of HTML, in which every value is escaped that is not HTML itself. */
export const html = (parts: TemplateStringsArray, ...values: Value[]): Html =>
  new Html(String.raw({ raw: parts }, ...values.map(written)))
