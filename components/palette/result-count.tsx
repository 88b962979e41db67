import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import styles from './palette.module.css'

const pause = 400

/** How many there are, once it stays so for a moment: whoever types is not interrupted at each letter. */
export function ResultCount({ count, isSearching }: { count: number; isSearching: boolean }) {
  const say = useTranslations('palette')
  const text = isSearching ? say('searching') : say('results', { count })
  const [told, setTold] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setTold(text), pause)
    return () => clearTimeout(timer)
  }, [text])
  return (
    <div role="status" className={styles.unseen}>
      {told}
    </div>
  )
}
