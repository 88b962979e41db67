import type { Metadata } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { brandMark } from '#components/frame/layout/product'
import { applyAppearance } from '#lib/client/appearance'
import { env } from '#lib/ground/env.server'
import { consoleCookie } from '#lib/ground/http/cookies'
import { noScriptWords } from '#lib/words/fallback'
import { languages } from '#lib/words/language'

export const generateMetadata = (): Metadata => ({
  title: env().PRODUCT_NAME,
  description: 'Scopes, NAT networks and two factor authentication of your cloud.',
  icons: { icon: brandMark },
  robots: { index: false, follow: false },
})

/** Zod asks once whether it may compile code; the content policy refuses that, and reports it. */
const tellZod = 'globalThis.__zod_globalConfig={jitless:true}'

/** The front server writes a fresh nonce into the content policy of each request. */
const nonceOf = (policy: string | null): string | undefined => policy?.match(/'nonce-([^']+)'/)?.[1]

export default async function Layout({ children }: { children: ReactNode }) {
  const nonce = nonceOf((await headers()).get('content-security-policy'))
  const sent = await cookies()
  const hasSession = [true, false].some((secure) => sent.has(consoleCookie(secure)))
  return (
    // The script sets the appearance, and browsers hide a nonce, so both differ from the sent document.
    <html lang="en" suppressHydrationWarning>
      <body
        data-session={hasSession ? '' : undefined}
        data-product={env().PRODUCT_NAME}
        suppressHydrationWarning
      >
        <script nonce={nonce} suppressHydrationWarning>{`(${applyAppearance})();${tellZod}`}</script>
        <noscript>
          <main className="no-script">
            {languages.map((language) => (
              <section key={language} lang={language}>
                <h1>{env().PRODUCT_NAME}</h1>
                <p>{noScriptWords[language]}</p>
              </section>
            ))}
          </main>
        </noscript>
        {children}
      </body>
    </html>
  )
}
