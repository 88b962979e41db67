import Container, { type ContainerProps } from '@cloudscape-design/components/container'
import Header, { type HeaderProps } from '@cloudscape-design/components/header'
import type { ReactNode } from 'react'

type CardProps = Pick<HeaderProps, 'description' | 'actions' | 'counter'> &
  Pick<ContainerProps, 'footer' | 'fitHeight'> & { title: ReactNode; children: ReactNode }

/** A part of a screen in a box, under a heading of its own. */
export const Card = ({ title, children, footer, fitHeight = false, ...header }: CardProps) => (
  <Container
    footer={footer}
    fitHeight={fitHeight}
    header={
      <Header variant="h2" {...header}>
        {title}
      </Header>
    }
  >
    {children}
  </Container>
)
