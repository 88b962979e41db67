import type { ReactNode } from 'react'

export const Heading = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div>
    <h1>{title}</h1>
    {children && <p>{children}</p>}
  </div>
)

const focus = (heading: HTMLElement | null) => heading?.focus()

/** The result in place of a form. It takes the focus, so that screen readers start here. */
export const Outcome = ({ title, children }: { title: string; children: ReactNode }) => (
  <div>
    <h1 ref={focus} tabIndex={-1}>
      {title}
    </h1>
    <p>{children}</p>
  </div>
)
