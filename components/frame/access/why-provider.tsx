import { lazy, type ReactNode, Suspense, useState } from 'react'
import { WhyContext, type WhyQuestion } from '#components/base/forms/why'

const WhyDialog = lazy(async () => ({ default: (await import('./why-dialog')).WhyDialog }))

/** Explains disabled and refused controls on the screens inside. */
export function WhyProvider({ children }: { children: ReactNode }) {
  const [question, setQuestion] = useState<WhyQuestion>()
  return (
    <WhyContext value={setQuestion}>
      {children}
      <Suspense>
        {question && <WhyDialog question={question} onClose={() => setQuestion(undefined)} />}
      </Suspense>
    </WhyContext>
  )
}
