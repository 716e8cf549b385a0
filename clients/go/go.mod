module github.com/agentstategraph/agentstategraph-go

go 1.23
