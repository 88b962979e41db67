import { useEffect } from 'react'
import { useTranslations } from 'use-intl'

/** The title of the browser's tab: `Scopes · Cloud console`. */
export function useTitle(title: string): void {
  const product = useTranslations('common')('product')
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
}
