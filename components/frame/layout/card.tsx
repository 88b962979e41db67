import type { ReactNode } from 'react'
import { Card as Framed } from '#components/kit/layout'

type CardProps = {
  title: ReactNode
  counter?: ReactNode
  description?: ReactNode
  actions?: ReactNode
  footer?: ReactNode
  fitHeight?: boolean
  children: ReactNode
}

/** A part of a screen in a box, under a heading of its own. */
export const Card = ({
  title,
  counter,
  description,
  actions,
  footer,
  fitHeight = false,
  children,
}: CardProps) => (
  <Framed
    title={title}
    counter={counter}
    about={description}
    actions={actions}
    footer={footer}
    fill={fitHeight}
  >
    {children}
  </Framed>
)
