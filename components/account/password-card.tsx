import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useFollow } from '#components/layout/app-link'
import { paths } from '#components/paths'

export function PasswordCard() {
  const follow = useFollow()
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <Button href={paths.password()} onFollow={follow}>
              Change password
            </Button>
          }
        >
          Password
        </Header>
      }
    >
      Use it nowhere else, and change it when you fear that somebody knows it.
    </Container>
  )
}
