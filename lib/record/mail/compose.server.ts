import { env } from '#lib/ground/env.server'
import { siteAddress } from '#lib/ground/http/origin.server'
import { html } from '#lib/ground/markup'
import { english } from '#lib/record/mail/english'
import type { Language, Notice, Words } from '#lib/record/mail/notices'
import { spanish } from '#lib/record/mail/spanish'

export type Mail = { to: string; subject: string; text: string; html: string }

/** The recipient. `locale`: such as es_ES; languages without a translation get English. */
type Reader = { nick: string; name: string; email: string; locale: string }

const languageOf = (locale: string): Language => (locale.startsWith('es') ? spanish : english)

function momentIn(locale: string, moment: number): string {
  const tag = locale.startsWith('es') || locale.startsWith('en') ? locale.replace('_', '-') : 'en-US'
  const format = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const
  return `${new Intl.DateTimeFormat(tag, format).format(moment)} UTC`
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** Names may have line ends: one of them could put lines of its own, such as a link, into a mail of this server. */
const inOneLine = <T extends object>(texts: T): T =>
  Object.fromEntries(Object.entries(texts).map(([field, value]) => [field, plain(value)])) as T

function plain(value: unknown): unknown {
  if (typeof value === 'string') return oneLine(value)
  if (!Array.isArray(value)) return value
  return value.map((each) => (typeof each === 'object' && each !== null ? inOneLine(each) : plain(each)))
}

/** The mail with this content, as text and as HTML. Texts of users are escaped, and in one line. */
export function compose(sentTo: Reader, about: Notice): Mail {
  const [reader, notice] = [inOneLine(sentTo), inOneLine(about)]
  const language = languageOf(reader.locale)
  const words = language.words(notice, momentIn(reader.locale, 'at' in notice ? notice.at : Date.now()))
  const greeting = language.greeting(reader.name || reader.nick)
  const footer = language.footer(reader.nick, `${env().PRODUCT_NAME} (${new URL(siteAddress()).host})`)
  const page = { lang: reader.locale.slice(0, 2), greeting, words, footer }
  return { to: reader.email, subject: words.subject, text: asText(page), html: asHtml(page).text }
}

type Page = { lang: string; greeting: string; words: Words; footer: string }

function asText({ greeting, words, footer }: Page): string {
  const { lines, code, button } = words
  return [
    greeting,
    ...(code ? [code] : []),
    ...lines,
    ...(button ? [button.href] : []),
    `-- \n${footer}\n`,
  ].join('\n\n')
}

const colours = { ink: '#0f141a', quiet: '#424650', line: '#c6c6cd', ground: '#f6f6f9', accent: '#5246d2' }
const box = `max-width:480px;margin:24px auto;padding:32px;background:#fff;border:1px solid ${colours.line};border-radius:12px`

/** One column of plain boxes, which every mail client can show. */
const asHtml = ({
  lang,
  greeting,
  words: { subject, lines, code, button },
  footer,
}: Page) => html`<!doctype html>
<html lang="${lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:8px;background:${colours.ground};color:${colours.ink};font:16px/1.5 system-ui,sans-serif">
<div style="${box}">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${subject}</h1>
<p>${greeting}</p>
${code ? html`<p style="margin:24px 0;font:700 32px/1 ui-monospace,monospace;letter-spacing:6px">${code}</p>` : ''}
${lines.map((line) => html`<p>${line}</p>`)}
${
  button
    ? html`<p style="margin:24px 0"><a href="${button.href}" style="display:inline-block;padding:10px 20px;border-radius:20px;background:${colours.accent};color:#fff;text-decoration:none;font-weight:700">${button.label}</a></p>
<p style="color:${colours.quiet};font-size:14px;word-break:break-all">${button.href}</p>`
    : ''
}
<p style="margin:32px 0 0;padding-top:16px;border-top:1px solid ${colours.line};color:${colours.quiet};font-size:14px">${footer}</p>
</div>
</body>
</html>
`
