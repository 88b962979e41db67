import Button from '@cloudscape-design/components/button'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslations } from 'use-intl'
import { useFollow } from '#components/screens/app-link'
import { paths } from '#components/screens/paths'

export function PasswordCard() {
  const say = useTranslations('account.passwordCard')
  const follow = useFollow()
  return (
    <Container
      header={
        <Header
          variant="h2"
          actions={
            <Button href={paths.password()} onFollow={follow}>
              {say('change')}
            </Button>
          }
        >
          {say('title')}
        </Header>
      }
    >
      {say('text')}
    </Container>
  )
}
