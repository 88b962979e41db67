import type { Metadata } from 'next'
import { headers } from 'next/headers'
import type { ReactNode } from 'react'
import { productName } from '#components/layout/product'
import { applyAppearance } from '#lib/client/appearance'
import { languages } from '#lib/words/language'
import { noScriptWords } from '#lib/words/no-script'
import './globals.css'

export const metadata: Metadata = {
  title: productName,
  description: 'Scopes, NAT networks and two factor authentication of your cloud.',
  icons: { icon: '/favicon.svg' },
  robots: { index: false, follow: false },
}

/** The front server writes a fresh nonce into the content policy of each request. */
const nonceOf = (policy: string | null): string | undefined => policy?.match(/'nonce-([^']+)'/)?.[1]

export default async function Layout({ children }: { children: ReactNode }) {
  const nonce = nonceOf((await headers()).get('content-security-policy'))
  return (
    <html lang="en">
      {/* The script changes the class, and browsers hide a nonce: both differ from what was sent. */}
      <body suppressHydrationWarning>
        <script nonce={nonce} suppressHydrationWarning>{`(${applyAppearance})()`}</script>
        <noscript>
          <main className="no-script">
            {languages.map((language) => (
              <section key={language} lang={language}>
                <h1>{noScriptWords[language].product}</h1>
                <p>{noScriptWords[language].text}</p>
              </section>
            ))}
          </main>
        </noscript>
        {children}
      </body>
    </html>
  )
}
