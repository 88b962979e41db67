import { type ReactNode, useState } from 'react'
import { WhyContext, type WhyQuestion } from '#components/base/forms/why'
import { deferredOver } from '#components/kit/deferred-over'

const WhyDialog = deferredOver(async () => (await import('./why-dialog')).WhyDialog)

/** Explains disabled and refused controls on the screens inside. */
export function WhyProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<WhyQuestion>()
  return (
    <WhyContext value={setQuestion}>
      {children}
      {question && <WhyDialog question={question} onClose={() => setQuestion(undefined)} />}
    </WhyContext>
  )
}
