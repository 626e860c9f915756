// Drawn for this dashboard, 24 units wide, in the colour of the text around them.
import type { ReactNode } from 'react';

function icon(paths: ReactNode) {
  return function Icon() {
    return (
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.8" strokeLinecap="round"
        strokeLinejoin="round" aria-hidden="true">
        {paths}
      </svg>
    );
  };
}

export const SwarmIcon = icon(
  <>
    <path d="M12 2.5 15.5 4.5v4L12 10.5 8.5 8.5v-4z" />
    <path d="M7.5 12 11 14v4l-3.5 2L4 18v-4z" />
    <path d="M16.5 12 20 14v4l-3.5 2L13 18v-4z" />
  </>,
);
export const ScenarioIcon = icon(
  <>
    <path d="M6 3h8l4 4v14H6z" />
    <path d="M14 3v4h4M9 12h6M9 16h4" />
  </>,
);
export const RunIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 7.5V12l3 2" />
  </>,
);
export const AuditIcon = icon(
  <>
    <path d="M12 3 19 6v5.5c0 4.5-3 7.5-7 9.5-4-2-7-5-7-9.5V6z" />
    <path d="m9 12 2.2 2.2L15.5 10" />
  </>,
);
export const SettingsIcon = icon(
  <>
    <path d="M4 7h9M17 7h3M4 17h3M11 17h9" />
    <circle cx="15" cy="7" r="2" />
    <circle cx="9" cy="17" r="2" />
  </>,
);
export const FeedIcon = icon(<path d="M3 12h4l2.5-6.5 4.5 13L16.5 12H21" />);
export const ApprovalIcon = icon(
  <>
    <path d="M8 11V6.5a1.5 1.5 0 0 1 3 0V10M11 10V4.5a1.5 1.5 0 0 1 3 0V10M14 10V6a1.5 1.5 0 0 1 3 0v8c0 4-2 6.5-5.5 6.5-3 0-4.5-1.5-6-4.5L4 13.2c-.7-1.5 1-2.6 2-1.4L8 14" />
  </>,
);
export const CostIcon = icon(
  <>
    <ellipse cx="12" cy="6.5" rx="7" ry="3" />
    <path d="M5 6.5V12c0 1.7 3.1 3 7 3s7-1.3 7-3V6.5M5 12v5.5c0 1.7 3.1 3 7 3s7-1.3 7-3V12" />
  </>,
);
export const FilesIcon = icon(<path d="M3.5 6.5v11a1.5 1.5 0 0 0 1.5 1.5h14a1.5 1.5 0 0 0 1.5-1.5V9A1.5 1.5 0 0 0 19 7.5h-7L9.8 5H5a1.5 1.5 0 0 0-1.5 1.5z" />);
export const PullIcon = icon(<path d="M12 4v10m-4-4 4 4 4-4M4.5 15.5V19h15v-3.5" />);
export const PushIcon = icon(<path d="M12 14V4M8 8l4-4 4 4M4.5 15.5V19h15v-3.5" />);
export const TaskIcon = icon(
  <>
    <rect x="3.5" y="4" width="5" height="16" rx="1.2" />
    <rect x="11" y="4" width="5" height="10" rx="1.2" />
    <path d="M18.5 5v6M20.5 5v4" />
  </>,
);
export const BeeIcon = icon(
  <>
    <ellipse cx="12" cy="14.5" rx="4.2" ry="6" />
    <path d="M8 13.2h8M8.1 17h7.8M10.5 8.8 9 5.5M13.5 8.8 15 5.5M8 11.5C5 8.5 2.5 9.5 3 12s3.5 2.5 5 1M16 11.5c3-3 5.5-2 5 .5s-3.5 2.5-5 1" />
  </>,
);
export const ChannelIcon = icon(<path d="M4 5h16v11h-8l-4.5 4v-4H4zM8 9h8M8 12.5h5" />);
export const PauseIcon = icon(<path d="M9 6v12M15 6v12" />);
export const ReplyIcon = icon(<path d="M9.5 6 4.5 11l5 5M4.5 11H14c3.5 0 5.5 2 5.5 6" />);
export const PlusIcon = icon(<path d="M12 5v14M5 12h14" />);
export const PlayIcon = icon(<path d="M8 5.5v13l10-6.5z" />);
export const StopIcon = icon(<rect x="6.5" y="6.5" width="11" height="11" rx="1.5" />);
export const TrashIcon = icon(<path d="M5 7h14M10 7V4.5h4V7M7 7l1 13h8l1-13" />);
export const MoreIcon = icon(<path d="M6 12h.01M12 12h.01M18 12h.01" strokeWidth="3" />);
export const CloseIcon = icon(<path d="m6 6 12 12M18 6 6 18" />);
export const AlertIcon = icon(<path d="M12 4 21 19.5H3zM12 10v4.5M12 17.2v.01" />);
export const GoodIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="m8.5 12.2 2.5 2.5 4.8-5.2" />
  </>,
);
export const InfoIcon = icon(
  <>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 11v5M12 8v.01" />
  </>,
);
export const CopyIcon = icon(
  <>
    <rect x="8" y="8" width="12" height="12" rx="2" />
    <path d="M16 8V5a1 1 0 0 0-1-1H5a1 1 0 0 0-1 1v10a1 1 0 0 0 1 1h3" />
  </>,
);
export const MoonIcon = icon(<path d="M19.5 14A8 8 0 0 1 10 4.5 8 8 0 1 0 19.5 14z" />);
export const SunIcon = icon(
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M5.6 18.4 7 17M17 7l1.4-1.4" />
  </>,
);
export const ScreenIcon = icon(
  <>
    <rect x="3.5" y="5" width="17" height="11.5" rx="1.5" />
    <path d="M9 20h6" />
  </>,
);
export const ExitIcon = icon(<path d="M14 4h5v16h-5M10 8l-4 4 4 4M6 12h9" />);
export const PinIcon = icon(<path d="M9 4h6l-1 6 3 3H7l3-3zM12 13v7" />);

export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className="mark">
      <path d="M16 1.5 28.5 8.75v14.5L16 30.5 3.5 23.25V8.75z" fill="#f2b32c" />
      <path d="M16 8 22 11.5v7L16 22l-6-3.5v-7z" fill="none" stroke="#3a2600" strokeWidth="2.4" />
      <path d="M16 1.5V8M28.5 23.25 22 18.5M3.5 23.25 10 18.5" stroke="#3a2600" strokeWidth="2.4" />
    </svg>
  );
}

export function Comb() {
  return (
    <svg viewBox="0 0 72 64" className="comb" aria-hidden="true" fill="none" stroke="currentColor" strokeWidth="3"
      strokeLinejoin="round">
      <path d="M36 4 47 10.5v12.5L36 29.5 25 23V10.5z" fill="currentColor" fillOpacity="0.25" />
      <path d="M24 30 35 36.5v12.5L24 55.5 13 49V36.5z" />
      <path d="M48 30 59 36.5v12.5L48 55.5 37 49V36.5z" strokeDasharray="4 4" />
    </svg>
  );
}
