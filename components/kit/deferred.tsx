import { type ReactNode, useContext } from 'react'
import { Button } from './button'
import { fileOf, type Load, NotLoadedContext, reasonIn, useFile } from './deferred-over'
import { Notice } from './notice'

/** A part of a screen, in a file of its own. A notice stands in its place if the file cannot be loaded. */
export function deferred<Props extends object>(load: Load<Props>) {
  const file = fileOf(load)
  return function Deferred({ waiting, ...props }: Props & { waiting?: ReactNode }) {
    const { Part, isBusy, hasFailed, retry } = useFile(file)
    const words = useContext(NotLoadedContext)
    if (Part) return <Part {...(props as unknown as Props)} />
    if (!hasFailed) return waiting
    const again = (
      <Button busy={isBusy} onPress={retry}>
        {words.tryAgain}
      </Button>
    )
    return (
      <Notice kind="bad" role="alert" title={words.title} action={again}>
        {reasonIn(words)}
      </Notice>
    )
  }
}
