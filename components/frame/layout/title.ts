import { useEffect } from 'react'
import { productName } from './product'

/** The title of the browser's tab: `Scopes · Cloud console`. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${productName()}`
  }, [title])
}
