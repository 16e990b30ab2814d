"""The application layer without Qt: project, session, operations, jobs, reports."""
