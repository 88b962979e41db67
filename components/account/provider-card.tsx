import Box from '@cloudscape-design/components/box'
import Container from '@cloudscape-design/components/container'
import Header from '@cloudscape-design/components/header'
import { useTranslations } from 'use-intl'

/** For who has no password here. */
export function ProviderCard() {
  const say = useTranslations('account.providerCard')
  return (
    <Container header={<Header variant="h2">{say('title')}</Header>}>
      <Box variant="p">{say('text')}</Box>
    </Container>
  )
}
