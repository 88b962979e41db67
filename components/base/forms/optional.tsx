import { useTranslations } from 'use-intl'

/** The label of a field that may stay empty. */
export function Optional({ children }: { children: string }) {
  const say = useTranslations('common')
  return (
    <>
      {children} <i>– {say('optional')}</i>
    </>
  )
}
