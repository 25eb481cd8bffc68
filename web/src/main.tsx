// The page's beginning: one live stream, one memory of what was told, one screen.
import './styles/page.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { keepLive } from './data/connection/live.ts'
import { followEvents } from './data/held/follow-events.ts'
import { queryClient } from './data/held/resource.ts'
import { followAnswers } from './data/orders/answers.ts'

followEvents()
followAnswers()
keepLive()
if ('serviceWorker' in navigator) navigator.serviceWorker.register('/sw.js').catch(() => {})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
